// Said where pushes are chosen while they reach nobody.
export function NoDevices() {
  return (
    <p className="text-13 text-ink-2">
      No device of yours gets pushes yet: turn them on in Settings, Notifications.
    </p>
  );
}
