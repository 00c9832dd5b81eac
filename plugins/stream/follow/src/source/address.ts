const PROTOCOLS = ["http:", "https:"];

/** Why a text is not the address of a source; `undefined` if it is one. */
export function problemOfAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !PROTOCOLS.includes(url.protocol)) {
    return `'${shownAddress(text)}': expected the address of a node that begins with http:// or https://`;
  }
  if (url.username !== "" || url.password !== "") {
    return `'${url.origin}': expected an address without a user and a password; --follow-token-file has a token`;
  }
  if (url.search !== "" || url.hash !== "") {
    return `'${url.origin}': expected an address without ? and #`;
  }
  return undefined;
}

/** The address of a path below that of a node, which may have a path itself. */
export function addressOf(base: string, path: string): URL {
  return new URL(path, base.endsWith("/") ? base : `${base}/`);
}

/** What messages show of an address that is none: it may contain a password. */
function shownAddress(text: string): string {
  return text.includes("@") ? "…" : text;
}
