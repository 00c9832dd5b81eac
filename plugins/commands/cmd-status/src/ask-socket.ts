import { connect } from "node:net";
import { messageOf } from "@plinth/core";
import { NodeUnreachable } from "./node-unreachable.js";
import { parseAnswer } from "./parse-answer.js";
import { MAX_ANSWER_BYTES, tooLarge } from "./read-limited.js";

/**
 * Sends a request to the IPC socket of a node and reads the line of its response; rejects with
 * `NodeUnreachable`.
 */
export function askSocket(path: string, body: string, limit: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = connect(path).setEncoding("utf8");
    let text = "";
    const fail = (reason: string) => reject(new NodeUnreachable(reason));
    const giveUp = () => {
      socket.destroy();
      fail("the request timed out");
    };
    limit.addEventListener("abort", giveUp, { once: true });
    socket.once("error", (error) => fail(messageOf(error)));
    socket.once("close", () => {
      limit.removeEventListener("abort", giveUp);
      fail("it closed the connection without a response");
    });
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.length > MAX_ANSWER_BYTES) {
        socket.destroy();
        reject(tooLarge());
        return;
      }
      if (!text.endsWith("\n")) return;
      try {
        resolve(parseAnswer(text));
      } catch {
        fail("the response is not from a node");
      }
      socket.destroy();
    });
    socket.write(body);
  });
}
