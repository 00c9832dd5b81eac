// Runs the built program, whose main module is the first argument, for every message, one after the
// other, in one process; see `program-host.ts`.
const { main } = await import(process.argv[2]);

let last = Promise.resolve();
process.on("message", (message) => {
  last = last.then(async () => void process.send?.(await run(message)));
});

async function run({ words, folder, environment }) {
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  process.chdir(folder);
  // In place, because `os.homedir` reads the environment of the process and not this object.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.exitCode = undefined;
  await main(words);
  return { code: process.exitCode ?? 0, stdout: stdout.end(), stderr: stderr.end() };
}

function capture(stream) {
  const { write } = stream;
  let text = "";
  stream.write = (chunk, ...rest) => {
    text += chunk;
    // The callback of a write must run.
    const [written] = rest.slice(-1);
    if (typeof written === "function") process.nextTick(written);
    return true;
  };
  return {
    end() {
      stream.write = write;
      return text;
    },
  };
}
