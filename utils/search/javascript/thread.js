// The search in a thread of its own.

/** In a thread of its own: the search, its result as a message. */
async function searchInThread({ parentPort, workerData: { task, priors, shared, avoided } }) {
  const beat = new Int32Array(shared);
  const mustEnd = () => Atomics.load(beat, 1) === 1;
  try {
    parentPort.postMessage(await new Search(task, priors, { beat, avoided, mustEnd }).result());
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof NotDefined)) throw error;
    const explanation = `Nothing can be tried: ${error.message}.`;
    parentPort.postMessage({
      status: "unreadable",
      tried: 0,
      passing: 0,
      lines: 0,
      edits: [],
      inputs: [],
      behaviours: [],
      isPassing: false,
      cursor: null,
      explanation,
    });
  }
}
