import { keyFromBase64 } from "./base64.js";
import { describeGroup } from "./describe-group.js";
import type { Route } from "./http-service.js";
import { type JsonObject, readText } from "./json-body.js";
import { jsonAnswer, jsonRoute } from "./json-route.js";
import type { Manager } from "./manager.js";
import { PAYLOAD_KEYS_BYTES, readPayloadKeys } from "./member-api.js";

const QUESTION_BYTES = 1024;

/** What the node may ask about what is lost, beside what Tessera answers. */
export function lostRoutes(manager: Manager): readonly Route[] {
  return [
    jsonRoute("/plinth/recoverGroup", (json) => recover(manager, json), QUESTION_BYTES),
    jsonRoute(
      "/plinth/lost",
      async (json) => jsonAnswer(await manager.lostPayloads.find(readPayloadKeys(json))),
      PAYLOAD_KEYS_BYTES,
    ),
  ];
}

async function recover(manager: Manager, json: JsonObject) {
  const id = keyFromBase64(readText(json, "privacyGroupId"), "privacyGroupId");
  const senderKey = keyFromBase64(readText(json, "senderKey"), "senderKey");
  const group = await manager.lostGroups.recover(id, senderKey);
  return jsonAnswer(group === undefined ? {} : { group: describeGroup(group) });
}
