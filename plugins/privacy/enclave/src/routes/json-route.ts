import { type JsonObject, readJson, restAfter } from "@plinth/kit-enclave";
import type { Call, Route, RouteResponse } from "../http/http-service.js";
import { verifyContentType } from "./content-type.js";

/** A JSON route for the node of a manager; web pages need a preflight request for it. */
export function jsonRoute(
  path: string,
  handle: (json: JsonObject, call: Call) => RouteResponse | Promise<RouteResponse>,
  maxBytes: number,
): Route {
  return {
    method: "POST",
    path,
    maxBytes,
    async handle(call) {
      verifyContentType(call);
      const body = readJson(call.body);
      await restAfter(call.body.length);
      return handle(body, call);
    },
  };
}

/** A JSON response. */
export function jsonAnswer(value: unknown): RouteResponse {
  return { status: 200, type: "application/json", body: JSON.stringify(value) };
}
