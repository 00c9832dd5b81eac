// Holds idle WebSockets open in a separate process: node idle-web-sockets.mjs PORT COUNT
import { once } from "node:events";
import { WebSocket } from "ws";

const AT_ONCE = 100;
const [port, count] = process.argv.slice(2).map(Number);

for (let opened = 0; opened < count; opened += AT_ONCE) {
  const some = Array.from({ length: Math.min(AT_ONCE, count - opened) }, () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    return once(socket, "open");
  });
  await Promise.all(some);
}
console.log("open");
