import { type Call, method, t } from "@plinth/core";
import { getPrivacy, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { filterId, getGroup, groupText } from "../params.js";
import type { PrivateFilters } from "../private-filters.js";

/** `priv_uninstallFilter`: removes a filter. */
export const uninstallFilter = (filters: PrivateFilters) =>
  method({
    summary: "Removes a filter for private logs; false if it does not exist.",
    params: { privacyGroupId: groupText, filterId },
    result: t.boolean,
    example: { params: ["DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=", "0x1a"], result: true },
    async handle({ privacyGroupId, filterId }, call: Call<typeof dependencies>) {
      const node = getPrivacy(call.privacy);
      const group = getGroup(privacyGroupId, call.compatibility);
      await verifyMember(node, group, call.client);
      const asked = call.compatibility.mode === "besu" ? undefined : privacyGroupId;
      return filters.find(filterId, asked, call.clock) !== undefined && filters.remove(filterId);
    },
  });
