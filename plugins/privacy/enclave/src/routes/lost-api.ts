import {
  EnclaveError,
  type JsonObject,
  keyFromBase64,
  MAX_STATE_BYTES,
  readStateQuestion,
  readText,
  toBase64,
} from "@plinth/kit-enclave";
import type { Route } from "../http/http-service.js";
import type { Manager } from "../manager.js";
import { describeGroup } from "./describe-group.js";
import { jsonAnswer, jsonRoute } from "./json-route.js";
import { PAYLOAD_KEYS_BYTES, readPayloadKeys } from "./member-api.js";

const QUESTION_BYTES = 1024;

/**
 * Routes for the node about lost payloads and the states of other members, beyond those of Tessera.
 */
export function lostRoutes(manager: Manager): readonly Route[] {
  return [
    jsonRoute("/plinth/groupEver", (json) => findEver(manager, json), QUESTION_BYTES),
    jsonRoute("/plinth/recoverGroup", (json) => recover(manager, json), QUESTION_BYTES),
    jsonRoute(
      "/plinth/here",
      (json) => {
        const here = readPayloadKeys(json).filter((key) => manager.payloads.has(key));
        return jsonAnswer({ keys: here.map(toBase64) });
      },
      PAYLOAD_KEYS_BYTES,
    ),
    jsonRoute(
      "/plinth/lost",
      async (json) => jsonAnswer(await manager.lostPayloads.find(readPayloadKeys(json))),
      PAYLOAD_KEYS_BYTES,
    ),
    jsonRoute(
      "/plinth/compare",
      async (json) =>
        jsonAnswer({ members: await manager.comparison.ask(readStateQuestion(json)) }),
      QUESTION_BYTES,
    ),
    jsonRoute(
      "/plinth/question",
      async () => jsonAnswer((await manager.questions.next()) ?? {}),
      QUESTION_BYTES,
    ),
    jsonRoute(
      "/plinth/answer",
      (json) => {
        manager.questions.answer(readText(json, "id"), readObject(json, "answer"));
        return jsonAnswer({});
      },
      MAX_STATE_BYTES,
    ),
  ];
}

/**
 * A group that payloads may be for, although `/retrievePrivacyGroup` does not return it, as in
 * Tessera.
 */
function findEver(manager: Manager, json: JsonObject) {
  const id = keyFromBase64(readText(json, "privacyGroupId"), "privacyGroupId");
  const group = manager.groups.findEver(id);
  return jsonAnswer(group === undefined ? {} : { group: describeGroup(group) });
}

async function recover(manager: Manager, json: JsonObject) {
  const id = keyFromBase64(readText(json, "privacyGroupId"), "privacyGroupId");
  const senderKey = keyFromBase64(readText(json, "senderKey"), "senderKey");
  const group = await manager.lostGroups.recover(id, senderKey);
  return jsonAnswer(group === undefined ? {} : { group: describeGroup(group) });
}

function readObject(json: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(json, name) ? json[name] : undefined;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw new EnclaveError(400, `${name}: expected an object`);
}
