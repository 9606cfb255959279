// Something is being asked, and there is nothing to show before it is known.

const SIZE_PX = { small: 16, medium: 24, large: 40 };

interface SpinnerProps {
  size?: keyof typeof SIZE_PX;
  label?: string;
}

export function Spinner({ size = 'medium', label = 'Loading' }: SpinnerProps) {
  const px = SIZE_PX[size];
  return (
    <span role="status" data-size={size} className="inline-flex">
      <svg viewBox="0 0 24 24" width={px} height={px} fill="none" aria-hidden className="turn">
        <circle cx="12" cy="12" r="9.5" strokeWidth="2.5" className="stroke-line-1" />
        <path
          d="M12 2.5a9.5 9.5 0 0 1 9.5 9.5"
          strokeWidth="2.5"
          strokeLinecap="round"
          className="stroke-accent"
        />
      </svg>
      <span className="sr-only">{label}</span>
    </span>
  );
}
