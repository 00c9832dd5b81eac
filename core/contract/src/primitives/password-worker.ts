import { parentPort } from "node:worker_threads";
import type { ThreadAnswer, ThreadQuestion } from "./answering-thread.js";
import { verifyPassword } from "./bcrypt.js";
import type { PasswordQuestion } from "./password-checker.js";

parentPort?.on("message", async ({ id, question }: ThreadQuestion<PasswordQuestion>) => {
  const post = (answer: ThreadAnswer<boolean>) => parentPort?.postMessage(answer);
  try {
    post({ id, answer: await verifyPassword(question.password, question.hash) });
  } catch (error) {
    post({ id, fault: error instanceof Error ? error.message : String(error) });
  }
});
