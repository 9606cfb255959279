// A word beside a name that says how it stands.
export function Mark({ text, className }: { text: string; className: string }) {
  return <span className={`rounded-full px-2.5 py-0.5 text-13 font-medium ${className}`}>{text}</span>;
}
