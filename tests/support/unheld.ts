/** For tests that wait until a page is idle: its call for news is answered at once, and then once a second. */
export const UNHELD = `{
  const { set } = Headers.prototype;
  Headers.prototype.set = function (name, value) {
    if (name !== 'Prefer') set.call(this, name, value);
  };
}`;
