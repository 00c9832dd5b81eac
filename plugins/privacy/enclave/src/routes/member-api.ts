import {
  EnclaveError,
  findTexts,
  type JsonObject,
  keyFromBase64,
  readJson,
  readStateQuestion,
  readText,
  toBase64,
} from "@plinth/kit-enclave";
import { encodeGroup } from "../groups/privacy-group.js";
import type { Route } from "../http/http-service.js";
import type { Manager } from "../manager.js";
import { jsonAnswer } from "./json-route.js";

/** A group and some numbers. */
const QUESTION_BYTES = 1024;
/** Maximum number of payloads per query, and the size of such a query. */
export const MAX_PAYLOAD_KEYS = 1000;
export const PAYLOAD_KEYS_BYTES = 64 * 1024;

/**
 * Routes for the managers of group members, beyond those of Tessera; other callers are rejected.
 */
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
    {
      method: "POST",
      path: "/plinth/sent",
      maxBytes: PAYLOAD_KEYS_BYTES,
      async handle({ body, caller }) {
        const json = readJson(body);
        const publicKey = keyFromBase64(readText(json, "publicKey"), "publicKey");
        const keys = readPayloadKeys(json);
        manager.verifyHolder(caller, publicKey);
        const found = await manager.payloads.findOf(publicKey, keys);
        return jsonAnswer({ keys: found.map(toBase64) });
      },
    },
    {
      method: "POST",
      path: "/plinth/state",
      maxBytes: QUESTION_BYTES,
      async handle({ body, caller }) {
        const question = readStateQuestion(readJson(body));
        const id = Buffer.from(question.privacyGroupId, "base64");
        const { peer } = manager.groups.findFor(id, caller);
        return jsonAnswer(await manager.questions.ask(question, peer.url));
      },
    },
  ];
}

/** The payloads named in a query. */
export function readPayloadKeys(json: JsonObject): readonly Uint8Array[] {
  const keys = findTexts(json, "keys") ?? [];
  if (keys.length > MAX_PAYLOAD_KEYS) {
    throw new EnclaveError(400, `keys: ${keys.length}, the limit is ${MAX_PAYLOAD_KEYS}`);
  }
  return keys.map((key) => keyFromBase64(key, "keys"));
}
