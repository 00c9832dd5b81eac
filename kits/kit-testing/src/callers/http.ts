import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request to a listener on 127.0.0.1. */
export interface HttpRequest {
  readonly port: number;
  /** `POST` when left out. */
  readonly method?: string;
  /** `/` when left out. */
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** Every request has a connection of its own when left out. */
  readonly agent?: Agent;
}

/** What came back, as it came. */
export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends a request and adds no headers but those that HTTP requires. */
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

/** Writes Latin-1 text to a TCP port as it stands; answers what came back until the port closed. */
export async function exchangeText(port: number, text: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.write(text, "latin1");
  try {
    return (await buffer(socket)).toString("latin1");
  } finally {
    socket.destroy();
  }
}
