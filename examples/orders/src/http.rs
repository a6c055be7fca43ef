//! The HTTP API.
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use otp_bridge::Client;
use otp_bridge::prelude::*;
use otp_bridge::process::ExitKind;
use otp_bridge_axum::Failure;
use serde::Deserialize;

use crate::customer::{self, Place};
use crate::database;
use crate::order::{self, ORDER, Order, Show, Step};

otp_bridge_axum::server! {
    /// Serves the API.
    pub Http = router
}

fn router(cx: &Cx<'_>) -> Router {
    Router::new()
        .route("/live", get(async || "ok"))
        .route("/health", get(health))
        .route("/orders", post(place))
        .route("/orders/{number}", get(show))
        .route("/orders/{number}/pay", post(pay))
        .route("/orders/{number}/ship", post(ship))
        .route("/orders/{number}/cancel", post(cancel))
        .with_state(cx.client(1000))
}

/// Names the build: `ORDERS_BUILD=2026-11-29 cargo otp build`.
const BUILD: Option<&str> = option_env!("ORDERS_BUILD");

/// 200 with the name of the build if the database answers, otherwise 503.
async fn health() -> Result<String, Failure> {
    database::health().await?;
    Ok(format!("ok, build {}", BUILD.unwrap_or("unnamed")))
}

/// The body of `POST /orders`.
#[derive(Debug, Deserialize)]
struct NewOrder {
    customer: i64,
    cents: u32,
}

/// 201 with the order, or 402 if the customer owes too much.
async fn place(
    State(client): State<Client>,
    Json(new): Json<NewOrder>,
) -> Result<Response, Failure> {
    let placed = client.run(async move |cx| {
        let customer = customer::find(cx, new.customer).await?;
        let placed = cx.call(&customer, Place(new.cents.into())).await?;
        if let Ok(order) = placed {
            order::open(cx, order).await?;
        }
        Ok(placed)
    });
    Ok(match placed.await? {
        Ok(order) => (StatusCode::CREATED, Json(order)).into_response(),
        Err(owed) => {
            let why = format!("the customer owes {owed} cents");
            (StatusCode::PAYMENT_REQUIRED, why).into_response()
        }
    })
}

/// The order, from its process if it is open, otherwise from its row.
async fn show(State(client): State<Client>, Path(number): Path<i64>) -> Result<Response, Failure> {
    let order = match client.call(&ORDER.process(&number), Show).await {
        Ok(order) => Some(order),
        Err(exit) if exit.kind() == ExitKind::NoProcess => database::load(number).await?,
        Err(exit) => return Err(exit.into()),
    };
    Ok(order.map_or_else(unknown, |order| Json(order).into_response()))
}

async fn pay(client: State<Client>, number: Path<i64>) -> Result<Response, Failure> {
    step(client, number, Step::Pay).await
}

async fn ship(client: State<Client>, number: Path<i64>) -> Result<Response, Failure> {
    step(client, number, Step::Ship).await
}

async fn cancel(client: State<Client>, number: Path<i64>) -> Result<Response, Failure> {
    step(client, number, Step::Cancel).await
}

/// The order after the step, or 409 with the order if it is at another stage.
async fn step(
    State(client): State<Client>,
    Path(number): Path<i64>,
    step: Step,
) -> Result<Response, Failure> {
    let stepped = match client.call(&ORDER.process(&number), step).await {
        Err(exit) if exit.kind() == ExitKind::NoProcess => match database::load(number).await? {
            None => return Ok(unknown()),
            Some(order) if !order.stage.is_open() => Err(order),
            Some(order) => reopened(&client, order, step).await?,
        },
        stepped => stepped?,
    };
    Ok(match stepped {
        Ok(order) => Json(order).into_response(),
        Err(order) => (StatusCode::CONFLICT, Json(order)).into_response(),
    })
}

/// The process of an open order has crashed: it is started from its row.
async fn reopened(client: &Client, order: Order, step: Step) -> Result<Result<Order, Order>, Exit> {
    let stepped = client.run(async move |cx| {
        let process = order::open(cx, order).await?;
        cx.call(&process, step).await
    });
    stepped.await
}

fn unknown() -> Response {
    (StatusCode::NOT_FOUND, "there is no such order").into_response()
}
