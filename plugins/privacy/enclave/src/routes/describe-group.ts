import { type DescribedGroup, toBase64 } from "@plinth/kit-enclave";
import { groupIdOf, type PrivacyGroup } from "../groups/privacy-group.js";

/** A group as shown to a node. No other fields: Besu rejects responses with unknown ones. */
export function describeGroup(group: PrivacyGroup): DescribedGroup {
  const { description, members, name, type } = group;
  return {
    description,
    members: members.map(toBase64),
    name,
    privacyGroupId: toBase64(groupIdOf(group)),
    type,
  };
}
