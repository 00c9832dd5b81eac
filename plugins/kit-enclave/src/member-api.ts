import { keyFromBase64 } from "./base64.js";
import type { Route } from "./http-service.js";
import { readJson, readText } from "./json-body.js";
import type { Manager } from "./manager.js";
import { encodeGroup } from "./privacy-group.js";

const QUESTION_BYTES = 1024;
/** What the managers of members of a group may ask beside what Tessera answers; no one else is served. */
export function memberRoutes(manager: Manager): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/plinth/group",
      maxBytes: QUESTION_BYTES,
      handle({ body, caller }) {
        const id = keyFromBase64(readText(readJson(body), "privacyGroupId"), "privacyGroupId");
        const { group } = manager.groups.findFor(id, caller);
        return { status: 200, type: "application/octet-stream", body: encodeGroup(group) };
      },
    },
  ];
}
