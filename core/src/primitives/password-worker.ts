import { parentPort } from "node:worker_threads";
import { verifyPassword } from "./bcrypt.js";
import type { PasswordAnswer, PasswordQuestion } from "./password-checker.js";

parentPort?.on("message", async ({ id, password, hash }: PasswordQuestion) => {
  const answer = (rest: Omit<PasswordAnswer, "id">) => parentPort?.postMessage({ id, ...rest });
  try {
    answer({ isRight: await verifyPassword(password, hash) });
  } catch (error) {
    answer({ isRight: false, fault: error instanceof Error ? error.message : String(error) });
  }
});
