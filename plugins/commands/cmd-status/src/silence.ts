/** Why nothing is known of a node. */
export class Silence extends Error {
  override readonly name = "Silence";
}
