import { type CommandIo, messageOf, type OptionValues, option, optionKinds, t } from "@plinth/core";
import { groupOfParties } from "@plinth/plugin-privacy/api";
import type { NodeLink } from "./node-link.js";
import { invalidOption, missingOption } from "./option-errors.js";
import { readKey } from "./read-key.js";

/** The sender of a private transaction. */
export const senderFlags = {
  privateFrom: option.text({
    summary: "Key of the sending party, in base64; by default that of the node.",
  }),
  publicKeyFile: option.path({
    summary: "File with the key of the sending party, instead of --private-from.",
  }),
};

/** The sender and the recipients of a private transaction. */
export const partyFlags = {
  group: option.text({ summary: "Id of the group, in base64." }),
  privateFor: option.list({
    summary: "Keys of the other parties, in base64, instead of a group.",
    of: optionKinds.text(),
  }),
  ...senderFlags,
};

type PartyFlags = OptionValues<typeof partyFlags>;

/** The parties of a private transaction, and the group that they form. */
export type NamedParties = { readonly privateFrom: Uint8Array; readonly groupId: Uint8Array } & (
  | { readonly privacyGroupId: Uint8Array; readonly privateFor?: undefined }
  | { readonly privateFor: readonly Uint8Array[]; readonly privacyGroupId?: undefined }
);

const status = t.object({ publicKey: t.optional(t.text) });

/** Reads the parties; queries the node for its key if none is given. */
export async function readParties(
  flags: PartyFlags,
  { io, link }: { readonly io: Pick<CommandIo, "read">; readonly link: NodeLink },
): Promise<NamedParties> {
  const { group, privateFor } = flags;
  if (group !== undefined && privateFor.length > 0) {
    throw invalidOption("private-for", "a group is given with --group, too; remove one of them");
  }
  if (group !== undefined) {
    const privacyGroupId = readKey(group, "group");
    const privateFrom = await readSender(flags, io, link);
    return { privateFrom, privacyGroupId, groupId: privacyGroupId };
  }
  if (privateFor.length === 0) {
    throw missingOption("--group=<ID>", " or '--private-for=<KEY>[,<KEY>...]'");
  }
  const others = privateFor.map((key) => readKey(key, "private-for"));
  const privateFrom = await readSender(flags, io, link);
  return { privateFrom, privateFor: others, groupId: groupOfParties([privateFrom, ...others]) };
}

/** The key of the sending party. */
export async function readSender(
  { privateFrom, publicKeyFile }: OptionValues<typeof senderFlags>,
  io: Pick<CommandIo, "read">,
  link: NodeLink,
): Promise<Uint8Array> {
  if (privateFrom !== undefined && publicKeyFile !== undefined) {
    throw invalidOption("public-key-file", "--private-from is given, too; remove one of them");
  }
  if (privateFrom !== undefined) return readKey(privateFrom, "private-from");
  if (publicKeyFile !== undefined) {
    const text = await io.read(publicKeyFile).catch((cause: unknown) => {
      throw invalidOption(
        "public-key-file",
        `${publicKeyFile} cannot be read: ${messageOf(cause)}`,
      );
    });
    return readKey(text.trim(), "public-key-file", `the content of ${publicKeyFile}`);
  }
  const { publicKey } = (await link.askIfOffered("plinth_privacyStatus", status)) ?? {};
  if (publicKey !== undefined) return readKey(publicKey, "private-from");
  throw missingOption(
    "--private-from=<KEY>",
    `: the node at ${link.url} does not report its key at its manager`,
  );
}
