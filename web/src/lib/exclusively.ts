// One at a time in all tabs of the browser. A browser that keeps nothing for the site, since its user blocked
// cookies, has the lock manager and refuses every request for a lock: the work must be done all the same.

export const hasLocks = 'locks' in navigator;

/** Does `work` while no other tab does what has this name; without a lock where the browser gives none. */
export async function exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!hasLocks) return work();
  let began = false;
  try {
    return await navigator.locks.request(name, () => {
      began = true;
      return work();
    });
  } catch (error) {
    if (began) throw error;
    return work();
  }
}
