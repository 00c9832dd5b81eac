// A load on one HTTP address from a separate process: as many requests as the server handles.  node
// http-load.mjs PORT BODY SECONDS [CONNECTIONS]  `LOAD_TOKEN` is a token to send along; with
// `LOAD_CA`, the file of a certificate, it uses TLS. Prints requests per second. Every response
// must be as long as the first, so that an error is detected.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";

const WARM_UP_MS = 1000;

const [port, body, seconds, connections = 32] = process.argv.slice(2);
const { LOAD_TOKEN: token, LOAD_CA: caFile } = process.env;
const authorization = token === undefined ? "" : `authorization: Bearer ${token}\r\n`;
const ca = caFile === undefined ? undefined : readFileSync(caFile);
const request = Buffer.from(
  `POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n${authorization}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);

const answerBytes = await measureAnswer();
let answered = 0;
const sockets = await Promise.all(Array.from({ length: Number(connections) }, keepBusy));
await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
answered = 0;
const start = performance.now();
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
const rate = answered / ((performance.now() - start) / 1000);
for (const socket of sockets) socket.destroy();
console.log(rate.toFixed(0));

/** A connection; writes before it is open are queued. */
function open() {
  return ca === undefined
    ? connect(Number(port), "127.0.0.1")
    : connectTls({ port: Number(port), host: "127.0.0.1", ca });
}

async function measureAnswer() {
  const socket = open();
  socket.write(request);
  let text = "";
  for await (const chunk of socket) {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    if (head < 0) continue;
    if (length === undefined) throw new Error("the answer has no content-length");
    if (text.length < head + 4 + Number(length)) continue;
    if (!text.startsWith("HTTP/1.1 200")) throw new Error(text);
    return text.length;
  }
  throw new Error("no answer");
}

async function keepBusy() {
  const socket = open();
  await once(socket, ca === undefined ? "connect" : "secureConnect");
  socket.setNoDelay(true);
  let received = 0;
  socket.on("data", (chunk) => {
    received += chunk.length;
    if (received < answerBytes) return;
    if (received > answerBytes) throw new Error("an answer was longer than the first");
    received = 0;
    answered += 1;
    socket.write(request);
  });
  socket.write(request);
  return socket;
}
