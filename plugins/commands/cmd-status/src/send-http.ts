import { type ClientRequest, type IncomingMessage, request as requestPlain } from "node:http";
import { type RequestOptions, request as requestTls } from "node:https";
import type { Access } from "./find-access.js";
import { readLimited } from "./read-limited.js";

/** An HTTP response of a node. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to the HTTP listener of a node; rejects with the connection error. */
export async function sendHttp(
  { url, token, tls }: Access,
  {
    path,
    body,
    signal,
  }: {
    readonly path: string;
    /** Sent as a POST; without it the request is a GET. */
    readonly body?: string;
    readonly signal: AbortSignal;
  },
): Promise<HttpAnswer> {
  const target = new URL(path, url);
  const options: RequestOptions = {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    agent: false,
    signal,
  };
  const request =
    target.protocol === "https:"
      ? requestTls(target, { ...options, ...checkOf(tls, token) })
      : requestPlain(target, options);
  request.end(body);
  const response = await responseTo(request);
  return { status: response.statusCode ?? 0, text: await readLimited(response) };
}

/**
 * A certificate read from the disk of the node needs no name check; no token is sent to an
 * unverified one.
 */
function checkOf(tls: Access["tls"], token: string | undefined): RequestOptions {
  if (tls === undefined) return {};
  if (tls.trusted === undefined) return token === undefined ? { rejectUnauthorized: false } : {};
  const { trusted: ca, isOwn } = tls;
  // A certificate signed by another one is trusted as it is.
  const chain = { ca, allowPartialTrustChain: true };
  return isOwn ? { ...chain, checkServerIdentity: () => undefined } : chain;
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.on("error", reject);
  });
}
