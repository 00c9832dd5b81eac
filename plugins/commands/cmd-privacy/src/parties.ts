import { type CommandIo, messageOf, type OptionValues, option, optionKinds, t } from "@plinth/core";
import { groupOfParties } from "@plinth/plugin-privacy/api";
import type { NodeLink } from "./node-link.js";
import { invalidOption, missingOption } from "./option-errors.js";
import { readKey } from "./read-key.js";

/** Who a private transaction is from. */
export const senderFlags = {
  privateFrom: option.text({
    summary: "Key of the sending party, in base64; that of the node when left out.",
  }),
  publicKeyFile: option.path({
    summary: "File with the key of the sending party, in place of --private-from.",
  }),
};

/** Who a private transaction is from, and who it is for. */
export const partyFlags = {
  group: option.text({ summary: "Id of the group, in base64." }),
  privateFor: option.list({
    summary: "Keys of the other parties, in base64, in place of a group.",
    of: optionKinds.text(),
  }),
  ...senderFlags,
};

type PartyFlags = OptionValues<typeof partyFlags>;

/** The parties as a private transaction has them, and the group that they make. */
export type NamedParties = { readonly privateFrom: Uint8Array; readonly groupId: Uint8Array } & (
  | { readonly privacyGroupId: Uint8Array; readonly privateFor?: undefined }
  | { readonly privateFor: readonly Uint8Array[]; readonly privacyGroupId?: undefined }
);

const status = t.object({ publicKey: t.optional(t.text) });

/** Reads who takes part; the node is asked for its key where none is given. */
export async function readParties(
  flags: PartyFlags,
  { io, link }: { readonly io: Pick<CommandIo, "read">; readonly link: NodeLink },
): Promise<NamedParties> {
  const { group, privateFor } = flags;
  if (group !== undefined && privateFor.length > 0) {
    throw invalidOption("private-for", "a group is given with --group, too; leave one of them out");
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
    throw invalidOption("public-key-file", "--private-from is given, too; leave one of them out");
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
    `: the node at ${link.url} does not say which key it has at its manager`,
  );
}
