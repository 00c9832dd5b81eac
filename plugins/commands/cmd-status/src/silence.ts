/** Why a node did not respond. */
export class Silence extends Error {
  override readonly name = "Silence";
}
