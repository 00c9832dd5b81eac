import { FakeClock, recordLogs } from "@plinth/testing";
import { expect, it } from "vitest";
import { Source } from "../source/source.js";
import { SourceProblem } from "../source/source-problem.js";
import { Rotation } from "./rotation.js";

it("gives every source its turn, also if others take longer to fail than their pauses are", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const names = ["http://a", "http://b", "http://c"];
  const log = recordLogs().for("follow");
  const rotation = new Rotation(
    names.map((name) => new Source(name)),
    { clock, log },
  );
  const tried: string[] = [];

  await rotation.run(async ({ name }) => {
    tried.push(name);
    if (tried.length === 6) stop.abort();
    await clock.advance(45_000);
    throw new SourceProblem(name, "no byte for 45000 ms");
  }, stop.signal);

  expect(tried).toEqual([...names, ...names]);
});
