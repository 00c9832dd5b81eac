import type { ServerResponse } from "node:http";
import { BodyTooLarge } from "./read-body.js";

/** Responds to a request whose body cannot be read, or that fails otherwise. */
export function refuse(response: ServerResponse, error: unknown): void {
  const isTooLarge = error instanceof BodyTooLarge;
  const headers = { "content-type": "text/plain", vary: "origin" };
  response.writeHead(isTooLarge ? 413 : 500, headers);
  response.end(isTooLarge ? "Request Entity Too Large" : "Internal Server Error");
}
