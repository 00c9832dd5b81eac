// A connection of a load: one request at a time over a bare socket, so that the load costs little.
import { once } from "node:events";
import { connect } from "node:net";

const HEAD_END = "\r\n\r\n";
/** Of a chunked response; JSON has no line breaks. */
const LAST_CHUNK = "\r\n0\r\n\r\n";
const CHUNKED = Number.POSITIVE_INFINITY;

export class LoadConnection {
  #socket;
  #pieces = [];
  #length = 0;
  /** The last characters, which may come in several pieces. */
  #end = "";
  #expected;
  #settle = () => {};

  constructor(socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("data", (text) => this.#received(text));
    socket.on("close", () => this.#settle(new Error("the node closed the connection")));
  }

  static async open(port) {
    const socket = connect({ host: "127.0.0.1", port });
    await once(socket, "connect");
    return new LoadConnection(socket);
  }

  /** Sends a JSON text, and returns the one of the response. */
  send(body) {
    return new Promise((resolve, reject) => {
      this.#settle = (error, text) => (error === undefined ? resolve(text) : reject(error));
      this.#socket.write(
        `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    });
  }

  /** Calls a method; throws its error. */
  async rpc(method, params) {
    const text = await this.send(requestOf(method, params));
    const { result, error } = JSON.parse(text);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  close() {
    this.#settle = () => {};
    this.#socket.destroy();
  }

  /** Long responses come in many pieces: they are joined once. */
  #received(text) {
    this.#pieces.push(text);
    this.#length += text.length;
    this.#end = (this.#end + text).slice(-LAST_CHUNK.length);
    this.#expected ??= this.#findLength();
    const isWhole =
      this.#expected === CHUNKED ? this.#end === LAST_CHUNK : this.#length >= this.#expected;
    if (!isWhole) return;
    const isChunked = this.#expected === CHUNKED;
    const whole = this.#pieces.join("");
    const body = whole.slice(whole.indexOf(HEAD_END) + HEAD_END.length);
    this.#reset();
    this.#settle(undefined, isChunked ? withoutChunks(body) : body);
  }

  /** The length of the response with its head, once that is there. */
  #findLength() {
    const text = this.#pieces.join("");
    const head = text.indexOf(HEAD_END);
    if (head < 0) return undefined;
    const length = /content-length: (\d+)/i.exec(text.slice(0, head))?.[1];
    return length === undefined ? CHUNKED : head + HEAD_END.length + Number(length);
  }

  #reset() {
    this.#pieces = [];
    this.#length = 0;
    this.#end = "";
    this.#expected = undefined;
  }
}

/** The body of a request. */
export function requestOf(method, params) {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

function withoutChunks(body) {
  let text = "";
  for (let at = 0; ; ) {
    const line = body.indexOf("\r\n", at);
    const length = Number.parseInt(body.slice(at, line), 16);
    if (length === 0) return text;
    text += body.slice(line + 2, line + 2 + length);
    at = line + 2 + length + 2;
  }
}
