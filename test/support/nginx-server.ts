import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.js";

/** Debian's path, which is not in the search path of every user. */
const PROGRAMS = ["nginx", "/usr/sbin/nginx"];
const PROGRAM = PROGRAMS.find((each) => spawnSync(each, ["-v"]).status === 0);
/** Whether there is no nginx to test with; reports it. */
export const isNginxMissing = PROGRAM === undefined;
if (isNginxMissing) process.stderr.write("nginx is not installed: tests with it are skipped\n");

/** The header of a response with the servers that nginx has asked, in their order. */
export const ASKED = "x-asked";
/** Logged after the listeners were opened. */
const IS_LISTENING = "event method";

/** An nginx of one process, in a temporary folder. */
export class NginxServer implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly #process: ChildProcess;

  private constructor(folder: TemporaryFolder, process: ChildProcess) {
    this.#folder = folder;
    this.#process = process;
  }

  /** Starts it with the directives of its `http` block; rejects with its log if it ends. */
  static async start(directives: string): Promise<NginxServer> {
    if (PROGRAM === undefined) throw new Error("nginx is not installed");
    const folder = temporaryFolder();
    const file = folder.file("nginx.conf");
    writeFileSync(file, configurationOf(folder, directives));
    const child = spawn(PROGRAM, ["-e", "stderr", "-c", file], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const server = new NginxServer(folder, child);
    try {
      await untilListening(child);
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#process;
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    this.#folder[Symbol.dispose]();
  }
}

function configurationOf(folder: TemporaryFolder, directives: string): string {
  return `daemon off;
master_process off;
error_log stderr notice;
pid ${folder.file("nginx.pid")};
events {}
http {
access_log off;
client_body_temp_path ${folder.file("bodies")};
proxy_temp_path ${folder.file("responses")};
add_header ${ASKED} $upstream_addr always;
${directives}
}
`;
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes(IS_LISTENING)) resolve();
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`nginx has ended: ${log}`)));
  });
}
