import { EnclaveError, keyFromBase64, readJson, readText, toBase64 } from "@plinth/kit-enclave";
import { encodeLegacy } from "../codec/legacy-codec.js";
import { withSlash } from "../codec/party-info.js";
import { readVersions, VERSIONS_HEADER } from "../http/http-link.js";
import type { Route } from "../http/http-service.js";
import type { Manager } from "../manager.js";
import { memberRoutes } from "./member-api.js";
import { UPCHECK } from "./upcheck.js";
import { VERSION_API } from "./version-api.js";

const BYTES = "application/octet-stream";
/** Enough for groups, party info and challenges. */
const SMALL_BYTES = 1024 * 1024;
/** Size of the envelope of a payload. */
const ENVELOPE_BYTES = 64 * 1024;

/** Routes for other managers. */
export function peerRoutes(
  manager: Manager,
  { url, maxPayloadBytes }: { readonly url: string; readonly maxPayloadBytes: number },
): readonly Route[] {
  const post = (path: string, handle: Route["handle"], maxBytes = SMALL_BYTES): Route => ({
    method: "POST",
    path,
    maxBytes,
    handle,
  });
  return [
    UPCHECK,
    VERSION_API,
    post(
      "/push",
      async ({ body, caller }) => {
        const hash = await manager.payloads.accept(body, caller);
        return { status: 201, type: "text/html", body: toBase64(hash) };
      },
      maxPayloadBytes + ENVELOPE_BYTES,
    ),
    post("/pushPrivacyGroup", async ({ body, caller }) => {
      await manager.groups.accept(body, caller);
      return { status: 200 };
    }),
    post("/partyinfo", async ({ body, headers }) => {
      const versions = readVersions(headers[VERSIONS_HEADER]);
      return { status: 200, type: BYTES, body: await manager.discovery.accept(body, versions) };
    }),
    post("/partyinfo/validate", ({ body }) => ({ status: 200, body: manager.validate(body) })),
    post("/resend", async ({ body }) => resend(manager, body)),
    {
      method: "GET",
      path: "/partyinfo",
      maxBytes: 0,
      handle: () => {
        const peers = [withSlash(url), ...manager.peerUrls()].map((peer) => ({ url: peer }));
        const keys = manager.knownKeys().map((known) => ({ ...known, key: toBase64(known.key) }));
        const body = JSON.stringify({ url: withSlash(url), peers, keys });
        return { status: 200, type: "application/json", body };
      },
    },
    ...memberRoutes(manager),
  ];
}

async function resend(manager: Manager, body: Uint8Array) {
  const json = readJson(body);
  const type = readText(json, "type");
  const recipient = keyFromBase64(readText(json, "publicKey"), "publicKey");
  if (type === "ALL") {
    await manager.payloads.resendAll(recipient);
    return { status: 200 };
  }
  if (type !== "INDIVIDUAL") throw new EnclaveError(400, "type: expected ALL or INDIVIDUAL");
  const key = readText(json, "key");
  const payload = manager.payloads.findFor(keyFromBase64(key, "key"), recipient);
  if (payload === undefined) throw new EnclaveError(404, `Message with hash ${key} was not found`);
  return { status: 200, type: BYTES, body: encodeLegacy(payload) };
}
