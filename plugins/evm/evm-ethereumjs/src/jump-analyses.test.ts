import { describe, expect, it } from "vitest";
import { JumpAnalyses } from "./jump-analyses.js";

function counting() {
  const counted = { analyses: 0 };
  const analyse = () => {
    counted.analyses += 1;
    return {};
  };
  return { counted, analyse };
}

describe("the analyses of code", () => {
  it("are cached from the second run on", () => {
    const analyses = new JumpAnalyses();
    const { counted, analyse } = counting();
    const code = new Uint8Array(100);

    const results = Array.from({ length: 5 }, () => analyses.of(code, analyse));

    expect(counted.analyses).toBe(2);
    expect(results[4]).toBe(results[1]);
  });

  it("belong to an array, not to its bytes", () => {
    const analyses = new JumpAnalyses();
    const { counted, analyse } = counting();

    for (let run = 0; run < 3; run++) analyses.of(new Uint8Array(100), analyse);

    expect(counted.analyses).toBe(3);
  });

  it("are evicted when there is too much code, the oldest first", () => {
    const analyses = new JumpAnalyses();
    const { counted, analyse } = counting();
    const codes = Array.from({ length: 30 }, () => new Uint8Array(24_576));
    for (const code of codes) for (let run = 0; run < 2; run++) analyses.of(code, analyse);
    counted.analyses = 0;

    for (const code of codes.slice(10)) analyses.of(code, analyse);
    expect(counted.analyses).toBe(0);

    for (const code of codes.slice(0, 5)) analyses.of(code, analyse);
    expect(counted.analyses).toBe(5);
  });
});
