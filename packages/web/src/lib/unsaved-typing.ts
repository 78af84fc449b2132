/** The page on which something was typed or chosen last, by its address. */
let page: string | null = null;

const note = () => {
  page = location.pathname;
};
// whatever field it is in, dialogs included
document.addEventListener('input', note, true);
document.addEventListener('change', note, true);

/** Whether something may have been typed on this page that is not saved. */
export function hasTyped(): boolean {
  return page === location.pathname;
}
