// The inbox.
export default function InboxPage() { return <main className="flex-1" />; }
