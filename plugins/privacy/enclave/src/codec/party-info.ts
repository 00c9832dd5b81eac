import { KEY_BYTES } from "@plinth/kit-enclave";
import { FieldReader, FieldWriter } from "./binary.js";

/** Announcement of a manager: itself and the managers it knows. */
export interface PartyInfo {
  /** URL of the sender. */
  readonly url: string;
  readonly recipients: readonly { readonly key: Uint8Array; readonly url: string }[];
  /** Managers known to the sender. */
  readonly parties: readonly string[];
}

/** Encodes it for a peer. */
export function encodePartyInfo({ url, recipients, parties }: PartyInfo): Uint8Array {
  const writer = new FieldWriter().text(url).count(recipients.length);
  for (const recipient of recipients) writer.field(recipient.key).text(recipient.url);
  return writer.list(parties.map((party) => new TextEncoder().encode(party))).finish();
}

/** Decodes it; trailing bytes are ignored. */
export function decodePartyInfo(bytes: Uint8Array): PartyInfo {
  const reader = new FieldReader(bytes);
  const url = reader.text("url");
  const recipients = Array.from({ length: reader.count("recipients") }, () => ({
    key: reader.fixed("recipient.key", KEY_BYTES),
    url: reader.text("recipient.url"),
  }));
  const parties = Array.from({ length: reader.count("parties") }, () => reader.text("party"));
  return { url, recipients, parties };
}

/** URLs are compared as text, so a URL without a path gets its slash. */
export function withSlash(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return pathname === "/" && search === "" && hash === "" && !url.endsWith("/") ? `${url}/` : url;
}
