import { command } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import { encodeAddition } from "@plinth/plugin-privacy/api";
import { FlexibleGroup, managementFlags, membersFlag, readMembers } from "./flexible-group.js";
import { isLocked } from "./is-locked.js";

const LOCKED =
  'The group is locked, and executes nothing before it is unlocked: "plinth privacy groups unlock".';

/** `privacy groups add`: adds members to a flexible group. */
export const add = command({
  id: "privacy groups add",
  summary:
    "Adds members to a flexible group, who receive its history; the group is locked first, and is unlocked once they are added.",
  examples: [
    "plinth --data-path=data privacy groups add --key-file=account.key --group=DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w= --members=Ko2bVqD+nNlNYL5EE7y3IdOnviftjiizpjRt+HTuFBs= --wait",
  ],
  flags: { ...managementFlags, members: membersFlag },
  uses: {},
  async run({ flags: given, ...on }) {
    const members = readMembers(given.members);
    const group = await FlexibleGroup.open(given, on);
    if (await isLocked(group.link, toBase64(group.id))) return group.send(encodeAddition(members));
    const code = await group.lock({ mustWait: true });
    if (code !== 0) return code;
    const nonce = given.nonce === undefined ? undefined : given.nonce + 1;
    try {
      const added = await group.send(encodeAddition(members), { nonce });
      if (added !== 0) await on.io.write(LOCKED);
      return added;
    } catch (error) {
      await on.io.write(LOCKED);
      throw error;
    }
  },
});
