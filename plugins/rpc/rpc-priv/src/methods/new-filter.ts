import { type Call, method, t } from "@plinth/core";
import { getPrivacy, keyOf, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { getGroup, groupText, privateFilter } from "../params.js";
import type { PrivateFilters } from "../private-filters.js";

/** `priv_newFilter`: starts collecting the logs of a group. */
export const newFilter = (filters: PrivateFilters) =>
  method({
    summary: "Installs a filter for the private logs of a group.",
    params: { privacyGroupId: groupText, filter: privateFilter },
    result: t.text,
    example: { params: ["DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=", {}], result: "0x1a" },
    async handle({ privacyGroupId, filter }, call: Call<typeof dependencies>) {
      const node = getPrivacy(call.privacy);
      const group = getGroup(privacyGroupId, call.compatibility);
      await verifyMember(node, group, call.client);
      return filters.add(privacyGroupId, filter, call.clock, keyOf(node, call.client));
    },
  });
