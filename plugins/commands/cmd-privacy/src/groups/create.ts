import { randomBytes } from "node:crypto";
import { command } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import { encodeAddition } from "@plinth/plugin-privacy/api";
import { FlexibleGroup, managementFlags, membersFlag, readMembers } from "./flexible-group.js";

const GROUP_BYTES = 32;

/** `privacy groups create`: creates a flexible group. */
export const create = command({
  id: "privacy groups create",
  summary:
    "Creates a flexible group of the sending party and other members, owned by the signing key; prints its id and the hash of the marker.",
  examples: [
    "plinth --data-path=data privacy groups create --key-file=account.key --members=Ko2bVqD+nNlNYL5EE7y3IdOnviftjiizpjRt+HTuFBs= --wait",
  ],
  flags: { ...managementFlags, members: membersFlag },
  uses: {},
  async run({ flags: given, io, dataPath, signal }) {
    const members = readMembers(given.members);
    const id = new Uint8Array(randomBytes(GROUP_BYTES));
    const group = await FlexibleGroup.open(given, { io, dataPath, signal }, id);
    const all = new Map([group.sender, ...members].map((key) => [toBase64(key), key]));
    if (!(given.wait && given.json)) await io.write(toBase64(group.id));
    return group.send(encodeAddition([...all.values()]));
  },
});
