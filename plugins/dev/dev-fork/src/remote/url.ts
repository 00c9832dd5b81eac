const PROTOCOLS = ["http:", "https:"];

/** Why a text is not the address of a node; `undefined` if it is one. */
export function problemOfUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !PROTOCOLS.includes(url.protocol)) {
    return "expected an address that begins with http:// or https://";
  }
  if (url.username !== "" || url.password !== "") {
    return "expected an address without a user and a password: --fork-header='Authorization: Basic …' has them";
  }
  return undefined;
}

/** The part of an address that messages show: its path may contain a key. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
