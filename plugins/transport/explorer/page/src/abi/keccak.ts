const RATE = 136;
const LANES = 25;
/** Rotations of the rho step, in the order in which the pi step visits the lanes. */
const ROTATIONS = Array.from({ length: 24 }, (_, step) => (((step + 1) * (step + 2)) / 2) % 64);
const ROUNDS = roundConstants();

/** The Keccak-256 hash of bytes, as hex. */
export function keccak(bytes: Uint8Array): string {
  const state = new Uint32Array(2 * LANES);
  const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE);
  padded.set(bytes);
  padded[bytes.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const words = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let word = 0; word < RATE / 4; word++) {
      state[word] = (state[word] ?? 0) ^ words.getUint32(block + word * 4, true);
    }
    permute(state);
  }
  const view = new DataView(state.buffer);
  let hash = "0x";
  for (let index = 0; index < 32; index++) {
    hash += view.getUint8(index).toString(16).padStart(2, "0");
  }
  return hash;
}

/** The hash of a text in UTF-8. */
export function keccakText(text: string): string {
  return keccak(new TextEncoder().encode(text));
}

function permute(state: Uint32Array): void {
  const parity = new Uint32Array(10);
  for (const [low, high] of ROUNDS) {
    theta(state, parity);
    rhoAndPi(state);
    chi(state);
    state[0] = (state[0] ?? 0) ^ low;
    state[1] = (state[1] ?? 0) ^ high;
  }
}

function theta(state: Uint32Array, parity: Uint32Array): void {
  for (let word = 0; word < 10; word++) {
    let sum = 0;
    for (let row = 0; row < 50; row += 10) sum ^= state[row + word] ?? 0;
    parity[word] = sum;
  }
  for (let column = 0; column < 5; column++) {
    const left = ((column + 4) % 5) * 2;
    const right = ((column + 1) % 5) * 2;
    const [low, high] = rotate(parity[right] ?? 0, parity[right + 1] ?? 0, 1);
    for (let row = 0; row < 50; row += 10) {
      const at = row + column * 2;
      state[at] = (state[at] ?? 0) ^ (parity[left] ?? 0) ^ low;
      state[at + 1] = (state[at + 1] ?? 0) ^ (parity[left + 1] ?? 0) ^ high;
    }
  }
}

function rhoAndPi(state: Uint32Array): void {
  let [x, y] = [1, 0];
  let low = state[2] ?? 0;
  let high = state[3] ?? 0;
  for (const rotation of ROTATIONS) {
    [x, y] = [y, (2 * x + 3 * y) % 5];
    const at = 2 * (x + 5 * y);
    const next = [state[at] ?? 0, state[at + 1] ?? 0] as const;
    [state[at], state[at + 1]] = rotate(low, high, rotation);
    [low, high] = next;
  }
}

function chi(state: Uint32Array): void {
  const row = new Uint32Array(10);
  for (let start = 0; start < 50; start += 10) {
    row.set(state.subarray(start, start + 10));
    for (let word = 0; word < 10; word++) {
      state[start + word] =
        (row[word] ?? 0) ^ (~(row[(word + 2) % 10] ?? 0) & (row[(word + 4) % 10] ?? 0));
    }
  }
}

function rotate(low: number, high: number, by: number): [number, number] {
  if (by >= 32) return rotate(high, low, by - 32);
  if (by === 0) return [low, high];
  return [(low << by) | (high >>> (32 - by)), (high << by) | (low >>> (32 - by))];
}

/** The constants of the iota step, from the shift register of the specification. */
function roundConstants(): readonly (readonly [number, number])[] {
  let register = 1;
  return Array.from({ length: 24 }, () => {
    let [low, high] = [0, 0];
    for (let power = 0; power <= 6; power++) {
      const bit = 2 ** power - 1;
      if ((register & 1) === 1) {
        if (bit < 32) low |= 1 << bit;
        else high |= 1 << (bit - 32);
      }
      register = (register << 1) ^ (register >> 7 === 1 ? 0x171 : 0);
    }
    return [low, high] as const;
  });
}
