/** How a model without weights says that it has nothing more to try: beside the text of its reply. */

import type { AIMessage } from "@langchain/core/messages";

/** What its message says. @param isLast where each further reply would be the same */
export const lastWord = (isLast: boolean): { isLast: boolean } => ({ isLast });

/** Whether a model has said that it has nothing more to try. */
export const isLastWord = ({ response_metadata: metadata }: AIMessage): boolean => metadata?.isLast === true;
