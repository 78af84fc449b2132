import { ApiObject, type Callable, int, isTrue, numberOf, textOf, toScript, type Value } from './values.ts';

/** A component of the interface, as a script sets it. */
export interface HiseComponent {
  readonly name: string;
  readonly properties: Map<string, Value>;
  place: number[];
  isShown: boolean;
  callback: Callable | undefined;
}

const SHARED = [
  'text',
  'visible',
  'enabled',
  'x',
  'y',
  'width',
  'height',
  'tooltip',
  'bgColour',
  'itemColour',
  'itemColour2',
  'textColour',
  'parentComponent',
];
const PANEL = new Set([...SHARED, 'borderSize', 'borderRadius', 'opaque', 'allowCallbacks']);
const LABEL = new Set([
  ...SHARED,
  'fontName',
  'fontSize',
  'fontStyle',
  'alignment',
  'editable',
  'multiline',
  'updateEachKey',
]);
const BUTTON = new Set([
  ...SHARED,
  'filmstripImage',
  'numStrips',
  'isVertical',
  'radioGroup',
  'isMomentary',
  'enableMidiLearn',
  'setValueOnClick',
]);

/** The interface of a plugin, as scripts build it and HISE draws it. */
export class HiseScreen {
  readonly components = new Map<string, HiseComponent>();
  readonly #painting = new Map<string, Callable>();
  readonly #drawing: Callable[] = [];

  /** The visible components of the interface. */
  shown(): HiseComponent[] {
    const back = this.components.get('TonerowBack');
    return back?.isShown ? [...this.components.values()].filter((each) => each.isShown) : [];
  }

  textIn(name: string): string {
    return textOf(this.components.get(name)?.properties.get('text') ?? '');
  }

  /** The rectangles that the script filled itself when everything was drawn. */
  rectangles: { colour: number; area: [x: number, y: number, width: number, height: number] }[] = [];

  /** Has everything drawn once, as HISE does, and returns the texts that the script drew itself. */
  drawn(): string[] {
    const texts: string[] = [];
    let colour = 0;
    this.rectangles = [];
    const graphics = new ApiObject('Graphics', {
      fillAll: (_colour: Value) => {},
      setColour: (to: Value) => {
        colour = numberOf(to);
      },
      fillRect: (area: Value) =>
        void this.rectangles.push({
          colour,
          area: (area as Value[]).map(numberOf) as [number, number, number, number],
        }),
      fillRoundedRectangle: (_area: Value, _corner: Value) => {},
      setFont: (_name: Value, _size: Value) => {},
      drawFittedText: (text: Value, _area: Value, _alignment: Value, _lines: Value, _scale: Value) =>
        void texts.push(textOf(text)),
    });
    for (const routine of this.#painting.values()) routine.call([graphics]);
    for (const { name, place, properties } of this.shown().filter((each) => each.name.startsWith('TonerowButton')))
      for (const routine of this.#drawing)
        routine.call([
          graphics,
          toScript({
            id: name,
            area: [0, 0, place[2], place[3]],
            enabled: true,
            text: this.textIn(name),
            over: false,
            down: false,
            value: false,
            bgColour: properties.get('bgColour') ?? int(0),
            itemColour1: properties.get('itemColour') ?? int(0),
            itemColour2: properties.get('itemColour2') ?? int(0),
            textColour: properties.get('textColour') ?? int(0),
          }),
        ]);
    return texts;
  }

  /** HISE makes components while onInit runs, has no two of a name, and knows the properties of each kind. */
  content(): ApiObject {
    const add = (known: ReadonlySet<string>) => (named: Value, _x: Value, _y: Value) => {
      const name = textOf(named);
      if (this.components.has(name)) throw new Error(`Component ${name} already exists`);
      const component: HiseComponent = { name, properties: new Map(), place: [], isShown: true, callback: undefined };
      this.components.set(name, component);
      const checked = (property: Value) => {
        if (!known.has(textOf(property))) throw new Error(`the property ${textOf(property)} does not exist`);
        return textOf(property);
      };
      return new ApiObject(name, {
        set: (property: Value, value: Value) => void component.properties.set(checked(property), value),
        get: (property: Value) => component.properties.get(checked(property)) ?? '',
        // its parameters are ints
        setPosition: (x: Value, y: Value, width: Value, height: Value) => {
          const place: Value[] = [x, y, width, height];
          component.place = place.map((each) => Math.trunc(numberOf(each)));
        },
        showControl: (isShown: Value) => {
          component.isShown = isTrue(isShown);
        },
        setControlCallback: (callback: Value) => {
          component.callback = callback as Callable;
        },
        setLocalLookAndFeel: (_drawing: Value) => {},
        ...(known === PANEL
          ? {
              setPaintRoutine: (routine: Value) => void this.#painting.set(name, routine as Callable),
              repaint: () => {},
            }
          : {}),
      });
    };
    return new ApiObject('Content', {
      addPanel: add(PANEL),
      addLabel: add(LABEL),
      addButton: add(BUTTON),
      createLocalLookAndFeel: () =>
        new ApiObject('ScriptLookAndFeel', {
          registerFunction: (name: Value, drawing: Value) => {
            if (textOf(name) === 'drawToggleButton') this.#drawing.push(drawing as Callable);
          },
        }),
    });
  }
}
