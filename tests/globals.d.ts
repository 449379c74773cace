// What the page's scripts find on the window: BokehJS, and the page itself for tests.
declare const Bokeh: {
  embed: {embed_item(item: object, host: Element): Promise<any>};
  require(name: string): any;
};
interface Window {
  attentionWidget: any;
  strictNames?: boolean;
  lessonStart?: {done(): void; watch(bokeh: any): void};
}
