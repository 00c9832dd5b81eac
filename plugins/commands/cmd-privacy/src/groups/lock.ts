import { command, hexToBytes } from "@plinth/core";
import { SELECTORS } from "@plinth/plugin-privacy/api";
import { FlexibleGroup, managementFlags } from "./flexible-group.js";

const EXAMPLE =
  "--key-file=account.key --group=DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w= --wait";

/** `privacy groups lock`: restricts a flexible group to changes of its members. */
export const lock = command({
  id: "privacy groups lock",
  summary: "Locks a flexible group: until it is unlocked, it executes only calls of its contract.",
  examples: [`plinth --data-path=data privacy groups lock ${EXAMPLE}`],
  flags: managementFlags,
  uses: {},
  async run({ flags: given, ...on }) {
    return (await FlexibleGroup.open(given, on)).lock();
  },
});

/** `privacy groups unlock`: lets a flexible group execute private transactions again. */
export const unlock = command({
  id: "privacy groups unlock",
  summary: "Unlocks a flexible group, for example when no members are added after all.",
  examples: [`plinth --data-path=data privacy groups unlock ${EXAMPLE}`],
  flags: managementFlags,
  uses: {},
  async run({ flags: given, ...on }) {
    return (await FlexibleGroup.open(given, on)).send(hexToBytes(SELECTORS.unlock));
  },
});
