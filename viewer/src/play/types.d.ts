// types.d.ts: what vite makes of an import of a worker: its program as text in the page.
declare module '*?worker&inline' {
  const Engine: new () => Worker;
  export default Engine;
}
