/** Kept until the tab is closed, and never sent to any other place than the node. */
const KEY = "plinth-token";

/** The token of this session. */
export function findToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** Keeps a token, or forgets the present one. */
export function setToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}

/** The permissions that a token lists, for display only: the node decides. */
export function readPermissions(token: string): readonly string[] {
  return readClaim(token, (claims) =>
    Array.isArray(claims.permissions) ? claims.permissions.map(String) : [],
  );
}

/** When a token expires, in seconds. */
export function readExpiry(token: string): number | undefined {
  const [expiry] = readClaim(token, ({ exp }) => (typeof exp === "number" ? [exp] : []));
  return expiry;
}

function readClaim<T>(
  token: string,
  read: (claims: Readonly<Record<string, unknown>>) => readonly T[],
): readonly T[] {
  try {
    const part = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const claims: unknown = JSON.parse(atob(part));
    return typeof claims === "object" && claims !== null
      ? read(claims as Readonly<Record<string, unknown>>)
      : [];
  } catch {
    // A token of another kind states nothing that could be shown.
    return [];
  }
}
