import { command, option, PlinthError, t } from "@plinth/core";
import { printable } from "@plinth/kit-rpc";
import { nodeFlags } from "../flags.js";
import { NodeLink } from "../node-link.js";
import { NodeRefusal } from "../node-refusal.js";
import { readKey } from "../read-key.js";
import { membersFlag } from "./flexible-group.js";
import { isLocked } from "./is-locked.js";

const group = t.object({ privacyGroupId: t.text, members: t.array(t.text) });

/** `privacy groups list`: the flexible groups of a node. */
export const list = command({
  id: "privacy groups list",
  summary: "Lists the flexible groups of the node, and whether they are locked.",
  examples: ["plinth --data-path=data privacy groups list"],
  flags: {
    ...nodeFlags,
    members: { ...membersFlag, summary: "Lists groups that include these keys." },
    json: option.flag({ summary: "Prints the groups in one line of JSON." }),
  },
  uses: {},
  async run({ flags, io, ...on }) {
    const { members, json } = flags;
    for (const key of members) readKey(key, "members");
    const link = await NodeLink.open(flags, on);
    const found = await findGroups(link, members);
    const groups = [];
    for (const one of found) {
      groups.push({ ...one, isLocked: await findLocked(link, one.privacyGroupId) });
    }
    if (json) {
      await io.write(JSON.stringify(groups));
      return;
    }
    if (groups.length === 0) await io.write("No matching groups.");
    for (const { privacyGroupId, members: keys, isLocked: isHeld } of groups) {
      await io.write(printable(`Group ${privacyGroupId}${describe(isHeld)}:`));
      for (const key of keys) await io.write(printable(`  ${key}`));
    }
  },
});

/** Whether a group is locked; `null` if it does not report it: its contract may be any. */
async function findLocked(link: NodeLink, privacyGroupId: string): Promise<boolean | null> {
  try {
    return await isLocked(link, privacyGroupId);
  } catch (error) {
    if (error instanceof NodeRefusal) return null;
    throw error;
  }
}

function describe(isHeld: boolean | null): string {
  if (isHeld === null) return ", which does not report whether it is locked";
  return isHeld ? ", locked" : "";
}

async function findGroups(link: NodeLink, members: readonly string[]) {
  try {
    return await link.ask("privx_findFlexiblePrivacyGroup", t.array(group), [members]);
  } catch (error) {
    if (!(error instanceof NodeRefusal && error.isMissingMethod)) throw error;
    throw new PlinthError("NODE_REFUSED", {
      message: `The node at ${link.url} does not list flexible groups: it needs --privacy-flexible-groups-enabled, and PRIV in --rpc-http-api (${error.reason})`,
      cause: error,
    });
  }
}
