/** On a live page: puts in what has changed, and leaves open what the reader has opened. */

const main = document.querySelector("main");
const events = new EventSource("events");
events.onmessage = ({ data }) => {
  if (!main) return;
  const { page, running } = JSON.parse(data);
  if (!running) events.close();
  // Text of models is escaped in what the server sends, and the page's policy runs no script but this one.
  const fresh = new DOMParser().parseFromString(page, "text/html").body;
  const opened = new Set([...main.querySelectorAll("details[open]")].map(keyOf));
  for (const details of fresh.querySelectorAll("details")) if (opened.has(keyOf(details))) details.open = true;
  main.replaceChildren(...fresh.childNodes);
};

/** A child's part of the page keeps its title, however the parts before it grow. @param {Element} details */
function keyOf(details) {
  const section = details.closest("article, section")?.querySelector("h2, h3")?.textContent;
  return `${section} ${details.querySelector("summary")?.textContent}`;
}
