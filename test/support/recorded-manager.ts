import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A stored payload of the recording. */
export interface RecordedPayload {
  readonly enclaveKey: string;
  readonly heldBy: readonly number[];
  readonly privateFrom: string;
  readonly privacyGroupId: string;
  readonly rlp: `0x${string}`;
  readonly markers: readonly {
    readonly markerHash: string;
    readonly block: number;
    readonly status?: string;
  }[];
}

/** A group of the recording. */
export interface RecordedGroup {
  readonly privacyGroupId: string;
  readonly type: string;
  readonly name: string;
  readonly members: readonly string[];
  readonly memberNodes: readonly number[];
  readonly roots: readonly { readonly block: number; readonly root: string }[];
}

/** One request to a manager and its response; bodies in base64. */
export interface RecordedExchange {
  readonly id: number;
  readonly path: string;
  readonly request: string;
  readonly status: number;
  readonly response: string;
}

/** The manager of one node of a recorded network: it responds from the recording, over HTTP. */
export class RecordedManager {
  /** Exchanges that are replayed first. */
  exchanges: readonly RecordedExchange[] = [];
  readonly #node: number;
  readonly #payloads: ReadonlyMap<string, RecordedPayload>;
  readonly #groups: readonly RecordedGroup[];
  readonly #server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      const { status, text } = this.#answer(request.url ?? "", body);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(text);
    });
  });

  constructor(
    node: number,
    payloads: readonly RecordedPayload[],
    groups: readonly RecordedGroup[],
  ) {
    this.#node = node;
    this.#payloads = new Map(payloads.map((payload) => [payload.enclaveKey, payload]));
    this.#groups = groups;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(path: string, body: string): { readonly status: number; readonly text: string } {
    const json = JSON.parse(body);
    const recorded = this.exchanges.find(
      (exchange) => exchange.path === path && isSame(fromBase64(exchange.request), body),
    );
    if (recorded !== undefined) {
      return { status: recorded.status, text: fromBase64(recorded.response) };
    }
    if (path === "/receive") return this.#receive(json.key);
    if (path === "/retrievePrivacyGroup") return this.#retrieve(json.privacyGroupId);
    return { status: 500, text: `nothing is recorded for ${path}` };
  }

  #receive(key: string) {
    const payload = this.#payloads.get(key);
    if (payload === undefined || !payload.heldBy.includes(this.#node)) {
      return { status: 404, text: `Message with hash ${key} was not found` };
    }
    const inner = Buffer.from(payload.rlp.slice(2), "hex").toString("base64");
    const { privateFrom: senderKey, privacyGroupId } = payload;
    const text = { payload: Buffer.from(inner).toString("base64"), senderKey, privacyGroupId };
    return { status: 200, text: JSON.stringify(text) };
  }

  #retrieve(id: string) {
    const group = this.#groups.find(({ privacyGroupId }) => privacyGroupId === id);
    if (group === undefined || !group.memberNodes.includes(this.#node)) {
      return { status: 404, text: `Privacy group Id[${id}] not found` };
    }
    const { privacyGroupId, type, name, members } = group;
    const text = JSON.stringify({ privacyGroupId, type, name, members, description: "" });
    return { status: 200, text };
  }
}

function fromBase64(text: string): string {
  return Buffer.from(text, "base64").toString();
}

/** The order of members may differ. */
function isSame(recorded: string, body: string): boolean {
  const sorted = (text: string) =>
    JSON.stringify(
      Object.entries(JSON.parse(text)).sort(([left], [right]) => (left < right ? -1 : 1)),
    );
  return sorted(recorded) === sorted(body);
}
