// Addresses that only programs on the server's own machine can reach.

const LOCAL_HOST = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/i;

/** Whether a URL or a mail address names the machine that it is used on. */
export function isLocalAddress(address: string): boolean {
  const host = hostOf(address);
  return LOCAL_HOST.test(host === '' ? address.slice(address.lastIndexOf('@') + 1) : host);
}

function hostOf(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return '';
  }
}
