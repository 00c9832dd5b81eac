import { command, option } from "@plinth/core";
import { encodeRemoval } from "@plinth/plugin-privacy/api";
import { missingOption } from "../option-errors.js";
import { readKey } from "../read-key.js";
import { FlexibleGroup, managementFlags } from "./flexible-group.js";

/** `privacy groups remove`: removes a member of a flexible group. */
export const remove = command({
  id: "privacy groups remove",
  summary: "Removes a member of a flexible group, who keeps the state up to then.",
  examples: [
    "plinth --data-path=data privacy groups remove --key-file=account.key --group=DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w= --member=Ko2bVqD+nNlNYL5EE7y3IdOnviftjiizpjRt+HTuFBs=",
  ],
  flags: {
    ...managementFlags,
    member: option.text({ summary: "Key of the member, in base64." }),
  },
  uses: {},
  async run({ flags: given, ...on }) {
    if (given.member === undefined) throw missingOption("--member=<KEY>");
    const member = readKey(given.member, "member");
    const group = await FlexibleGroup.open(given, on);
    return group.send(encodeRemoval(member));
  },
});
