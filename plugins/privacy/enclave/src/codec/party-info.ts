import { KEY_BYTES } from "@plinth/kit-enclave";
import { FieldReader, FieldWriter } from "./binary.js";

/** What a manager says about itself and the managers it knows. */
export interface PartyInfo {
  /** Where the manager that speaks is reached. */
  readonly url: string;
  readonly recipients: readonly { readonly key: Uint8Array; readonly url: string }[];
  /** Managers that it knows. */
  readonly parties: readonly string[];
}

/** Writes it for a peer. */
export function encodePartyInfo({ url, recipients, parties }: PartyInfo): Uint8Array {
  const writer = new FieldWriter().text(url).count(recipients.length);
  for (const recipient of recipients) writer.field(recipient.key).text(recipient.url);
  return writer.list(parties.map((party) => new TextEncoder().encode(party))).finish();
}

/** Reads what a peer wrote; bytes behind it do not count. */
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

/** Addresses are compared as they are written, so that one without a path gets its slash. */
export function withSlash(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return pathname === "/" && search === "" && hash === "" && !url.endsWith("/") ? `${url}/` : url;
}
