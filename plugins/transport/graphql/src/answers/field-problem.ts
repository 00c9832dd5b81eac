/** Why a field could not be resolved, as a message for the caller. */
export class FieldProblem extends Error {}
