import {
  EnclaveError,
  findText,
  findTexts,
  type JsonObject,
  readText,
  restAfter,
  toBase64,
} from "@plinth/kit-enclave";
import { API_VERSIONS } from "../http/http-link.js";
import type { Call, Route, RouteResponse } from "../http/http-service.js";
import type { Manager } from "../manager.js";
import { describeGroup } from "./describe-group.js";
import { readJavaBase64 } from "./java-base64.js";
import { jsonAnswer, jsonRoute } from "./json-route.js";
import { lostRoutes } from "./lost-api.js";
import { UPCHECK } from "./upcheck.js";
import { VERSION_API } from "./version-api.js";

const SMALL_BYTES = 1024 * 1024;

/** Routes for the node of a manager: those of Tessera in orion mode, and more. */
export function nodeRoutes(
  manager: Manager,
  { maxPayloadBytes }: { readonly maxPayloadBytes: number },
): readonly Route[] {
  const post = (path: string, handle: Parameters<typeof jsonRoute>[1], maxBytes = SMALL_BYTES) =>
    jsonRoute(path, handle, maxBytes);
  // Base64 encodes three bytes as four characters.
  const maxSendBytes = Math.ceil(maxPayloadBytes / 3) * 4 + SMALL_BYTES;
  return [
    UPCHECK,
    {
      ...UPCHECK,
      path: "/version",
      handle: () => ({ status: 200, body: API_VERSIONS.at(-3) ?? "" }),
    },
    VERSION_API,
    {
      ...UPCHECK,
      path: "/keys",
      handle: () =>
        jsonAnswer({ keys: manager.publicKeys().map((key) => ({ key: toBase64(key) })) }),
    },
    post("/send", (body, call) => send(manager, body, call), maxSendBytes),
    post("/receive", (body) => receive(manager, body)),
    post("/createPrivacyGroup", (body) => createGroup(manager, body)),
    post("/findPrivacyGroup", (body) => findGroups(manager, body)),
    post("/retrievePrivacyGroup", (body) =>
      jsonAnswer(
        describeGroup(manager.groups.get(readJavaBase64(readText(body, "privacyGroupId")))),
      ),
    ),
    post("/deletePrivacyGroup", async (body) => {
      const id = readJavaBase64(readText(body, "privacyGroupId"));
      const from = findText(body, "from");
      const deleted = await manager.groups.delete(
        id,
        from === undefined ? undefined : readJavaBase64(from),
      );
      return jsonAnswer(toBase64(deleted));
    }),
    ...lostRoutes(manager),
  ];
}

async function send(manager: Manager, body: JsonObject, { headers }: Call): Promise<RouteResponse> {
  const text = findText(body, "payload");
  if (text === undefined) throw isNull("send.arg0.payload");
  if (text === "") throw isEmpty("send.arg0.payload", "[]");
  const payload = readJavaBase64(text);
  await restAfter(payload.length);
  const from = findText(body, "from");
  const group = findText(body, "privacyGroupId");
  const key = toBase64(
    await manager.payloads.send({
      payload,
      to: (findTexts(body, "to") ?? []).map(readJavaBase64),
      ...(from === undefined ? {} : { from: readJavaBase64(from) }),
      ...(group === undefined ? {} : { privacyGroupId: readJavaBase64(group) }),
    }),
  );
  const place = `http://${headers.host ?? "localhost"}/transaction/${encodeURIComponent(key)}`;
  return { ...jsonAnswer({ key }), headers: { location: place } };
}

async function receive(manager: Manager, body: JsonObject): Promise<RouteResponse> {
  const key = findText(body, "key");
  if (key === undefined) throw isNull("receive.arg0.key");
  if (key === "") throw isEmpty("receive.arg0.key", "");
  const to = findText(body, "to");
  if (to === "") throw isEmpty("receive.arg0.to", "");
  const { payload, senderKey, privacyGroupId } = manager.payloads.receive(
    readJavaBase64(key),
    to === undefined ? undefined : readJavaBase64(to),
  );
  await restAfter(payload.length);
  return jsonAnswer({
    payload: toBase64(payload),
    ...(privacyGroupId === undefined ? {} : { privacyGroupId: toBase64(privacyGroupId) }),
    senderKey: toBase64(senderKey),
  });
}

async function createGroup(manager: Manager, body: JsonObject): Promise<RouteResponse> {
  const from = findText(body, "from");
  const name = findText(body, "name");
  const description = findText(body, "description");
  const seed = findText(body, "seed");
  const group = await manager.groups.create({
    addresses: (findTexts(body, "addresses") ?? []).map(readJavaBase64),
    ...(from === undefined ? {} : { from: readJavaBase64(from) }),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(seed === undefined ? {} : { seed: readJavaBase64(seed) }),
  });
  return jsonAnswer(describeGroup(group));
}

async function findGroups(manager: Manager, body: JsonObject): Promise<RouteResponse> {
  const addresses = findTexts(body, "addresses") ?? [];
  if (addresses.length === 0) {
    throw new EnclaveError(500, 'Cannot read the array length because "array" is null');
  }
  const groups = await manager.groups.find(addresses.map(readJavaBase64));
  return jsonAnswer(groups.map(describeGroup));
}

/** Tessera's message for a missing member. */
function isNull(path: string): EnclaveError {
  return invalid("may not be null", path, "null");
}

/** Tessera's message for an empty member. */
function isEmpty(path: string, value: string): EnclaveError {
  return invalid("size must be between 1 and 2147483647", path, value);
}

function invalid(problem: string, path: string, value: string): EnclaveError {
  const place = `path = BesuTransactionResource.${path}, invalidValue = ${value}`;
  return new EnclaveError(400, `${problem} (${place})\n`);
}
