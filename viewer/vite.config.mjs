// Builds src/ into one HTML file beside this, report.html or playground.html (TRUNDLE_PAGE): script and style stand in it,
// nothing is loaded.
import { defineConfig } from 'vite';
import { writeFileSync } from 'node:fs';

const name = process.env.TRUNDLE_PAGE ?? 'report';
const source = { report: 'index.html', playground: 'playground.src.html' }[name];

const inline = {
  name: 'one-file',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const parts = Object.values(bundle);
    let html = parts.find((part) => part.fileName.endsWith('.html')).source;
    for (const part of parts) {
      // "</script" in a text of the program would end the script.
      const code = (part.code ?? part.source).toString().replaceAll('</script', '<\\/script');
      if (part.fileName.endsWith('.js')) {
        html = html.replace(/<script[^>]*src="[^"]*"[^>]*><\/script>/, '');
        html = html.replace('<!--trundle-program-->', () => `<script type="module">${code.trim()}</script>`);
      } else if (part.fileName.endsWith('.css')) {
        html = html.replace(/<link[^>]*rel="stylesheet"[^>]*>/, () => `<style>${code.trim()}</style>`);
      }
    }
    for (const name of Object.keys(bundle)) delete bundle[name];
    const target = process.env.TRUNDLE_TEMPLATE ?? new URL(`${name}.html`, import.meta.url);
    writeFileSync(target, html);
  },
};

export default defineConfig({
  logLevel: 'warn',
  base: './',
  plugins: [inline],
  build: {
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    outDir: process.env.TRUNDLE_TEMPLATE ? `${process.env.TRUNDLE_TEMPLATE}.dist` : 'node_modules/.dist',
    emptyOutDir: true,
    rollupOptions: { input: source, output: { inlineDynamicImports: true } },
  },
});
