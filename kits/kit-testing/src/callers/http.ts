import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request to a listener on 127.0.0.1. */
export interface HttpRequest {
  readonly port: number;
  /** `POST` by default. */
  readonly method?: string;
  /** `/` by default. */
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** By default every request has its own connection. */
  readonly agent?: Agent;
}

/** The response, unchanged. */
export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends a request without headers other than those that HTTP requires. */
export async function sendHttp({
  body,
  headers = {},
  ...settings
}: HttpRequest): Promise<HttpReply> {
  const { port, method = "POST", path = "/", agent = false } = settings;
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, method, path, agent, headers });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      buffer(incoming).then(
        (bytes) => resolve({ status, headers, bytes, text: bytes.toString("utf8") }),
        reject,
      );
    });
    outgoing.end(body);
  });
}

/** Writes Latin-1 text to a TCP port unchanged; returns what arrived until the port closed. */
export async function exchangeText(port: number, text: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.write(text, "latin1");
  try {
    return (await buffer(socket)).toString("latin1");
  } finally {
    socket.destroy();
  }
}
