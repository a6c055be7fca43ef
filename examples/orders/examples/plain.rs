//! This service in plain Tokio, for `cargo bench`: a task with a mailbox for each customer and
//! each open order, found by maps behind locks, without supervision and without upgrades.
//!
//! `plain PORT DATABASE`

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use orders::order::{Order, Stage};
use otp_bridge_novm as _;
use serde::Deserialize;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tokio::sync::{mpsc, oneshot};

/// The most messages in a mailbox.
const MAILBOX: usize = 100;
const CREDIT: i64 = 100_000;
const PATIENCE: Duration = Duration::from_mins(15);

/// A request to a customer: the cents of a new order.
type Place = (i64, oneshot::Sender<sqlx::Result<Option<Order>>>);
/// A request to an order.
type Show = oneshot::Sender<Order>;
type Mailboxes<M> = RwLock<HashMap<i64, mpsc::Sender<M>>>;

struct Service {
    pool: PgPool,
    customers: Mailboxes<Place>,
    orders: Mailboxes<Show>,
}

fn find<M>(all: &Mailboxes<M>, key: i64) -> Option<mpsc::Sender<M>> {
    let all = all.read().unwrap_or_else(PoisonError::into_inner);
    all.get(&key).cloned()
}

/// The mailbox with this key, and the other end of it if it is new.
fn find_or_add<M>(all: &Mailboxes<M>, key: i64) -> (mpsc::Sender<M>, Option<mpsc::Receiver<M>>) {
    if let Some(found) = find(all, key) {
        return (found, None);
    }
    let (sender, receiver) = mpsc::channel(MAILBOX);
    let mut all = all.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = all.get(&key) {
        return (found.clone(), None);
    }
    all.insert(key, sender.clone());
    (sender, Some(receiver))
}

async fn customer(pool: PgPool, number: i64, mut mailbox: mpsc::Receiver<Place>) {
    let sum = "SELECT coalesce(sum(cents), 0)::bigint FROM orders \
               WHERE customer = $1 AND stage = 'placed'";
    let sum = sqlx::query_scalar::<_, i64>(sum)
        .bind(number)
        .fetch_one(&pool);
    let Ok(mut owed) = sum.await else { return };
    while let Some((cents, caller)) = mailbox.recv().await {
        if cents > CREDIT - owed {
            let _gone = caller.send(Ok(None));
            continue;
        }
        let insert = "INSERT INTO orders (customer, cents) VALUES ($1, $2) RETURNING number";
        let row = sqlx::query_scalar(insert).bind(number).bind(cents);
        let inserted: sqlx::Result<i64> = row.fetch_one(&pool).await;
        owed += inserted.as_ref().map_or(0, |_| cents);
        let order = |id| Order {
            number: id,
            customer: number,
            cents,
            stage: Stage::Placed,
        };
        let _gone = caller.send(inserted.map(|id| Some(order(id))));
    }
}

async fn order(order: Order, mut mailbox: mpsc::Receiver<Show>) {
    let unpaid = tokio::time::sleep(PATIENCE);
    tokio::pin!(unpaid);
    loop {
        tokio::select! {
            show = mailbox.recv() => match show {
                Some(caller) => drop(caller.send(order)),
                None => return,
            },
            () = &mut unpaid => return,
        }
    }
}

#[derive(Deserialize)]
struct NewOrder {
    customer: i64,
    cents: u32,
}

async fn place(
    State(service): State<Arc<Service>>,
    Json(new): Json<NewOrder>,
) -> Result<Response, Failed> {
    let (sender, receiver) = find_or_add(&service.customers, new.customer);
    if let Some(receiver) = receiver {
        tokio::spawn(customer(service.pool.clone(), new.customer, receiver));
    }
    let (caller, reply) = oneshot::channel();
    sender.send((new.cents.into(), caller)).await?;
    let Some(placed) = reply.await?? else {
        return Ok(StatusCode::PAYMENT_REQUIRED.into_response());
    };
    if let (_, Some(receiver)) = find_or_add(&service.orders, placed.number) {
        tokio::spawn(order(placed, receiver));
    }
    Ok((StatusCode::CREATED, Json(placed)).into_response())
}

async fn show(
    State(service): State<Arc<Service>>,
    Path(number): Path<i64>,
) -> Result<Response, Failed> {
    let Some(order) = find(&service.orders, number) else {
        return Ok(StatusCode::NOT_FOUND.into_response());
    };
    let (caller, reply) = oneshot::channel();
    order.send(caller).await?;
    Ok(Json(reply.await?).into_response())
}

struct Failed;

impl<E: Error> From<E> for Failed {
    fn from(_: E) -> Self {
        Failed
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        StatusCode::SERVICE_UNAVAILABLE.into_response()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let port: u16 = words.next().ok_or("a port")?.parse()?;
    let options = PgPoolOptions::new().max_connections(16);
    let pool = options.connect(&words.next().ok_or("a database")?).await?;
    let schema = include_str!("../src/schema.sql");
    sqlx::raw_sql(schema).execute(&pool).await?;
    let service = Service {
        pool,
        customers: RwLock::default(),
        orders: RwLock::default(),
    };
    let router = Router::new()
        .route("/live", get(async || "ok"))
        .route("/orders", post(place))
        .route("/orders/{number}", get(show))
        .with_state(Arc::new(service));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}
