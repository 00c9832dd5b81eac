import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HttpRequest } from "./compared-responses.js";
import { VECTORS } from "./conformance.js";

const FILES = ["dev", "graphql", "qbft", "ibft2", "clique"];

interface Case {
  /** Absent if it was sent over WebSocket. */
  readonly http?: { readonly method: string; readonly path: string; readonly contentType?: string };
  readonly request?: unknown;
}

/** The requests that running nodes of Besu were sent over HTTP, each once. */
export function readLiveRequests(): readonly HttpRequest[] {
  const cases = FILES.flatMap((name): readonly Case[] => {
    const file = join(VECTORS, "besu-live", `${name}.json`);
    return JSON.parse(readFileSync(file, "utf8"));
  });
  const requests = cases.flatMap(({ http, request = "" }) => {
    if (http === undefined) return [];
    const { method, path, contentType: type = "application/json" } = http;
    const body = typeof request === "string" ? request : JSON.stringify(request);
    return [{ method, path, type, body }];
  });
  return [...new Map(requests.map((each) => [JSON.stringify(each), each])).values()];
}
